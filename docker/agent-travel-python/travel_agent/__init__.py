"""The coordinator and the expense agent of the travel lab, on the official Python SDK."""
