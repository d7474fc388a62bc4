"""The service: commands that change the house (`desk.perform`), and questions that read it; one module a noun."""
