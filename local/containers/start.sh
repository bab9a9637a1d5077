#!/bin/sh
# Entry of the image: `corridor <service> [arguments]`, and the command line for all other words. Node takes this process's place, so
# that it gets the signals.
case "$1" in
  *[!a-z-]* | "") entry="" ;;
  gateway) entry="$1/main" ;;
  # The service takes no words; the command line's `sandbox clock` has some.
  sandbox) if [ $# -eq 1 ]; then entry="$1/main"; else exec node /app/dist/cli/main.js "$@"; fi ;;
  operator) entry="local/cli/operator" ;;
  embedded-store) entry="local/embedded-store/main" ;;
  auth | schema | fx | payment | wallet | identity | webhook) entry="services/$1/main" ;;
  *) exec node /app/dist/cli/main.js "$@" ;;
esac
if [ -z "$1" ] || [ ! -f "/app/dist/$entry.js" ]; then
  echo "usage: <service> [arguments]; there is no service \"$1\"" >&2
  exit 64
fi
shift
exec node "/app/dist/$entry.js" "$@"
