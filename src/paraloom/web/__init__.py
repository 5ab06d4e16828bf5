"""What pages share: templates, static files, passwords, keys, security headers.

Nothing here knows what is judged, or where it is stored. Import the modules, not this package: each brings only
what it needs, and the command line needs none of them.
"""
