"""What happens with drafts: written, listed, checked, cited, printed, kept."""
