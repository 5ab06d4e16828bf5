"""Files in, items and judgments of the store out, and the other way round: nothing here serves pages."""
