"""The demo: one evening of Hooligan and craps, played by scripted people through the service's own API."""
