"""What the command line shows and asks: terminals, pipes and the file with the token."""
