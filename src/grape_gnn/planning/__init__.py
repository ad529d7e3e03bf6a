"""What a job will take before it is run: instances, time, memory, disk, and what fits."""
