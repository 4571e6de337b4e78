"""The door: HTTP and WebSocket. The only place with Starlette and status codes."""
