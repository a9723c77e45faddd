# One image a process: docker build --build-arg APP=agent-worker -t gns3-copilot-agent-worker .
# APP: gateway, agent-worker, tool-worker, demo, or migrate, which ends when the database is up to date.
ARG APP=gateway

FROM node:24-bookworm-slim AS base
WORKDIR /app

# No package needs its install script here: native parts come as packages of their own.
FROM base AS deps
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts

FROM deps AS build
COPY nest-cli.json rspack.config.cjs tsconfig.json ./
COPY apps apps
COPY libs libs
RUN npx nest build --all

# Without the optional packages: they are the Postgres that `npm start` brings up by itself.
FROM base AS prod-deps
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM base AS runtime
LABEL org.opencontainers.image.description="GNS3 Copilot service: chat agents for network labs" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production
COPY --from=prod-deps /app/node_modules node_modules
# Says that the bundles are ES modules.
COPY package.json ./
USER node
# Both workers drain on it; see docs/operating.md.
STOPSIGNAL SIGTERM

FROM runtime AS app-gateway
LABEL org.opencontainers.image.title="gns3-copilot-gateway"
COPY --from=build /app/dist/apps/gateway dist/apps/gateway
# Liveness and not readiness: a gateway that waits for Redis must not be taken for a broken one.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3090}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/apps/gateway/main.js"]

FROM runtime AS app-agent-worker
LABEL org.opencontainers.image.title="gns3-copilot-agent-worker"
COPY --from=build /app/dist/apps/agent-worker dist/apps/agent-worker
CMD ["node", "dist/apps/agent-worker/main.js"]

FROM runtime AS app-tool-worker
LABEL org.opencontainers.image.title="gns3-copilot-tool-worker"
COPY --from=build /app/dist/apps/tool-worker dist/apps/tool-worker
CMD ["node", "dist/apps/tool-worker/main.js"]

FROM runtime AS app-demo
LABEL org.opencontainers.image.title="gns3-copilot-demo"
COPY --from=build /app/dist/apps/demo dist/apps/demo
CMD ["node", "dist/apps/demo/main.js"]

FROM runtime AS app-migrate
LABEL org.opencontainers.image.title="gns3-copilot-migrate"
COPY --from=build /app/dist/migrate.js dist/migrate.js
COPY --from=build /app/dist/migrations dist/migrations
CMD ["node", "dist/migrate.js"]

# A stage and not a variable in CMD: exec form expands none, and a shell as pid 1 would keep SIGTERM to itself.
FROM app-${APP}
