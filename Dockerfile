# syntax=docker/dockerfile:1
# The server as an image: `docker compose build`. What it is for stands in server/OPERATING.md.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
# Without a pip of its own: what runs installs nothing.
RUN python -m venv --without-pip /opt/canfield-race
COPY pyproject.toml constraints.txt README.md ./
COPY clients/web clients/web
COPY server server
COPY migrations migrations
RUN pip --python /opt/canfield-race/bin/python install --constraint constraints.txt .

FROM python:3.13-slim
# A number of its own, so that files on a mounted folder can be given to it.
RUN groupadd --gid 10001 canfield && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent canfield
COPY --from=build /opt/canfield-race /opt/canfield-race
ENV PATH=/opt/canfield-race/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
WORKDIR /tmp
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --start-interval=2s --retries=3 \
    CMD ["canfield-race", "healthcheck"]
# Both as lists: the signal to stop reaches the server itself, and no shell in between.
ENTRYPOINT ["canfield-race"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
