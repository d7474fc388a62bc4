"""What goes over the wire: strict models of requests and answers, one module a noun."""
