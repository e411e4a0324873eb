"""Does verification refuse what cannot work, and nothing else? Measured on answers of others, some of which are labelled by hand."""
