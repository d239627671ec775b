# syntax=docker/dockerfile:1
# The bases are named by exact tag. A release pins them by digest as well: see .github/workflows/release.yaml.

# What it makes is JavaScript, the same for every platform: one build serves all.
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without the dependencies' own scripts: nothing that is bundled needs one.
RUN npm ci --ignore-scripts
COPY tsconfig.json LICENSE ./
COPY scripts scripts
COPY src src
ARG REVISION=
RUN EDGELINE_REVISION=$REVISION node scripts/build.ts
RUN node scripts/sbom.ts > dist/sbom.spdx.json
# Whoever needs the source maps makes them of this revision: they are twice what runs.
RUN rm dist/*.map dist/chunks/*.map

FROM gcr.io/distroless/nodejs24-debian13:nonroot
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Edgeline" \
      org.opencontainers.image.description="A Kubernetes operator for SIMs, mobile gateways, web-acceleration sites and their certificates" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/edgeline/edgeline" \
      org.opencontainers.image.documentation="https://github.com/edgeline/edgeline/blob/main/README.md" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="gcr.io/distroless/nodejs24-debian13:nonroot"
WORKDIR /edgeline
COPY --from=build /build/LICENSE ./
COPY --from=build /build/dist ./
# One arena: the operator has one busy thread, and each further arena keeps memory it does not give back.
ENV MALLOC_ARENA_MAX=1
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["/nodejs/bin/node", "/edgeline/edgeline.mjs"]
CMD ["operator"]
