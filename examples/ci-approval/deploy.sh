#!/bin/sh
# A CI job that deploys only after a person has said yes: deploy.sh VERSION COMMAND…
# The runner needs ASKBOX_HUB and ASKBOX_TOKEN, a token that may ask (askbox token create ci --scope asker).
version=${1:?say which version to deploy}
shift

# --key: a job that is run again joins the question that still waits.
answer=$(askbox ask "Deploy **$version** to production?" --type confirm --key "deploy-$version" --timeout "${DEPLOY_TIMEOUT:-1800000}")
case $? in
  0) ;;
  3) echo "Somebody turned the question down; $version is not deployed." >&2; exit 1 ;;
  4) echo "Nobody answered in time, and silence is not a yes; $version is not deployed." >&2; exit 1 ;;
  5) echo "The hub cannot be reached; $version is not deployed." >&2; exit 1 ;;
  *) echo "The question could not be asked; $version is not deployed." >&2; exit 1 ;;
esac
if [ "$answer" != yes ]; then
  echo "The answer was $answer; $version is not deployed." >&2
  exit 1
fi
exec "$@"
