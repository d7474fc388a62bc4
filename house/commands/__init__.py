"""The commands of the command line, one module each; what is heavy to import is imported when its command runs."""
