#!/usr/bin/env bash
# deploy.sh TAG - bring up the idle colour with TAG and switch nginx to it
set -e

tag=$1
active=$(cat /etc/nginx/active-colour)
if [ "$active" = blue ]; then idle=green; else idle=blue; fi

TAG=$tag docker compose -p "$idle" up -d web
docker compose -p "$active" stop web
sleep 30

echo "$idle" > /etc/nginx/active-colour
ln -sfn "/etc/nginx/upstream-$idle.conf" /etc/nginx/upstream.conf
nginx -t && nginx -s reload
echo "$tag is live on $idle"
