#!/usr/bin/env bash
# compare_peers.sh ENV DATA [OPTIONS]: libtr beside the installed peers, in turns. compare_peers.py --help says more.
#   ENV    Python environment with the peers    DATA   folder of Multi30k
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
exec python3 "$(dirname "$0")/compare_peers.py" "$@"
