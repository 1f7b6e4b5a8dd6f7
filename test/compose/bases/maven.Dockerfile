FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven ca-certificates-java \
 && rm -rf /var/lib/apt/lists/*
