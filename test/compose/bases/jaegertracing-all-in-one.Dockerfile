FROM debian:bookworm-slim
COPY all-in-one /usr/local/bin/all-in-one
EXPOSE 4317 4318 16686
USER 10001:10001
ENTRYPOINT ["all-in-one"]
