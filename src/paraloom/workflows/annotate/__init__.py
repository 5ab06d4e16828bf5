"""The annotation service from the command line: campaigns, files, people, and the server itself."""
