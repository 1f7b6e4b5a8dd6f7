FROM debian:bookworm-slim
# First the links to this machine's own authorities, which the JDK's key store is made of. The JDK's package wants a folder for its
# manual pages to be there.
RUN update-ca-certificates && mkdir -p /usr/share/man/man1 && apt-get update \
 && apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven ca-certificates-java \
 && rm -rf /var/lib/apt/lists/*
# What this machine built because no Maven repository that it reaches has it.
COPY built /root/.m2/repository/org/a2aproject
