"""The service as a web application: pages for people, an API for programs. Made by `app.application.make_app`."""
