# One image for API, worker, migrations and roles; the command determines which of them runs. See docs/operating/install.md.
# Node runs the server's TypeScript directly (docs/decisions/0003); only the web app is built.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# npm ci needs the package.json of every workspace. They are copied before the sources, so that a source change does not
# repeat the installation.
FROM ${NODE_IMAGE} AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/tracing/package.json packages/tracing/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY fakes/package.json fakes/
COPY test-env/package.json test-env/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY chaos/package.json chaos/
RUN npm ci --ignore-scripts --no-audit --no-fund --workspace @lessonbook/web --workspace @lessonbook/contract
COPY tsconfig.base.json ./
COPY packages/contract packages/contract
COPY apps/web apps/web
RUN npm run build

# Removes the test workspaces first, because npm would install their dependencies even with --omit=dev. The remaining packages
# are still checked against the lockfile.
FROM ${NODE_IMAGE} AS server
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/server/package.json apps/server/
RUN npm pkg set --json 'workspaces=["packages/contract","apps/server"]'
RUN npm pkg delete devDependencies --workspaces --include-workspace-root
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Lessonbook"
WORKDIR /app
COPY --from=server /app/node_modules node_modules
COPY package.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/contract/src packages/contract/src
COPY apps/server/package.json apps/server/
COPY apps/server/migrations apps/server/migrations
COPY apps/server/src apps/server/src
COPY --from=web /app/apps/web/dist web
# Each container has its own network, so API and worker can use the same port and the same health check.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3000 WEB_DIST=/app/web
EXPOSE 3000
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/api.ts"]
