"""Tables read and written here: on this machine or on a Ray cluster, in steps that resume and never overwrite."""
