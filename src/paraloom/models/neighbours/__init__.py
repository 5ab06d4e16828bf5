"""Vectors of sentences in, the nearest neighbours of each out: codes, lists around centroids, cells on disk, search."""
