"""The ground floor of reading text: it knows nothing of documents."""
