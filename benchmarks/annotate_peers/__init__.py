"""The same load on any annotation service, and two peers to put it on: Label Studio and Potato, run as programs."""
