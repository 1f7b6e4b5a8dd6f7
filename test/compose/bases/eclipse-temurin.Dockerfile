FROM debian:bookworm-slim
# The package wants a folder for its manual pages to be there.
RUN mkdir -p /usr/share/man/man1 && apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless && rm -rf /var/lib/apt/lists/*
