(a bundle)
