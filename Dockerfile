# All services in one image: a service is the image plus its name, `docker run corridor:<version> payment`. README.md of
# local/containers says how it is built, also where no registry can be reached. A release names its base by digest:
# --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:<digest>.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifest
WORKDIR /app
COPY package.json package-lock.json ./

# What runs: production dependencies without what only compilers and people read, and a list of exactly these.
FROM manifest AS production
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
  npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && npm pkg delete devDependencies optionalDependencies allowScripts scripts \
  && npm sbom --sbom-format cyclonedx --sbom-type application > sbom.cdx.json \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM manifest AS build
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
  npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.image.json ./
COPY proto/gen proto/gen
COPY services services
COPY gateway gateway
COPY sandbox sandbox
COPY cluster cluster
COPY sdk sdk
COPY cli cli
COPY docs/guides docs/guides
COPY console console
COPY local local
RUN node_modules/.bin/tsc -p tsconfig.image.json && node local/copy-data.mjs \
  && node_modules/.bin/vite build --config console/vite.config.mts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=production /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/dist dist
COPY --chmod=755 local/containers/start.sh /usr/local/bin/corridor
# Where the simulated world keeps its book; a volume that is mounted here belongs to the user.
RUN mkdir -m 700 /var/lib/corridor && chown 10001:10001 /var/lib/corridor
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "dist/local/containers/healthcheck.js"]
ENTRYPOINT ["corridor"]
