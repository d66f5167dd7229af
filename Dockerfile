# A service of any document: docker run -v ./service.md:/service.md -p 8080:8080 tacet
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm pack --ignore-scripts --pack-destination /build/pack

FROM node:24-slim
COPY --from=build /build/pack/tacet-*.tgz /tmp/
RUN npm install --global /tmp/tacet-*.tgz && rm /tmp/tacet-*.tgz && mkdir /data && chown node:node /data
USER node
# Without TACET_STORE, items are kept in /data/.tacet.
WORKDIR /data
VOLUME /data
ENV TACET_HOST=0.0.0.0 TACET_PORT=8080 TACET_OPS=0.0.0.0:9090 TACET_LOG=json
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tacet"]
CMD ["serve", "/service.md"]
