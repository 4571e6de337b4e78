"""A room's life, pure: time and chance come in as arguments, events come out."""
