#!/bin/sh
# Entry of the image: `corridor <service> [arguments]`. Node takes this process's place, so that it gets the signals.
case "$1" in
  *[!a-z-]*) entry="" ;;
  gateway | sandbox) entry="$1/main" ;;
  operator) entry="local/cli/operator" ;;
  embedded-store) entry="local/embedded-store/main" ;;
  *) entry="services/$1/main" ;;
esac
if [ -z "$1" ] || [ ! -f "/app/dist/$entry.js" ]; then
  echo "usage: <service> [arguments]; there is no service \"$1\"" >&2
  exit 64
fi
shift
exec node "/app/dist/$entry.js" "$@"
