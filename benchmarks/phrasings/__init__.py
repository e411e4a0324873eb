"""Made-up programs, asked in many ways: does a value get to the option that people say it is for?"""
