"""Fitting the weights by which the policy `grounded` gives values to options, and what they are worth on repositories left out."""
