"""The reference: a small Django project, with Django's own middleware, on the product's tables and database."""
