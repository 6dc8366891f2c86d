#!/usr/bin/env bash
# deploy.sh TAG - bring up the idle colour with TAG and switch nginx to it
set -euo pipefail

tag=$1
active=$(cat /etc/nginx/active-colour)
if [ "$active" = blue ]; then idle=green; else idle=blue; fi

TAG=$tag docker compose -p "$idle" up -d --remove-orphans web
until [ "$(docker inspect --format '{{.State.Health.Status}}' "web-$idle")" = healthy ]; do
  sleep 2
done

echo "$idle" > /etc/nginx/active-colour
ln -sfn "/etc/nginx/upstream-$idle.conf" /etc/nginx/upstream.conf
nginx -t && nginx -s reload

sleep 30  # let open requests finish
docker compose -p "$active" stop web
echo "$tag is live on $idle"
