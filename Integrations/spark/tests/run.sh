#!/usr/bin/env bash
# Runs the tests of the Spark job under Spark 3.5 and 4, each in its own environment.
#
#     Integrations/spark/tests/run.sh STENO [arguments of pytest]
#
# STENO is the program; Java 17 and ffmpeg must be installed. The environments are in $STENO_SPARK_ENVIRONMENTS
# (default: .build-spark), and are created with pip if missing.
set -euo pipefail
steno=$(realpath "$1")
shift
cd "$(dirname "$0")"
environments=$(realpath -m "${STENO_SPARK_ENVIRONMENTS:-../../../.build-spark}")
status=0
for version in 3.5 4; do
    environment=$environments/spark-$version
    if [ ! -x "$environment/bin/pytest" ]; then
        python3 -m venv "$environment"
        "$environment/bin/pip" install --quiet "pyspark==$version.*" -r requirements.txt
    fi
    echo "== Spark $("$environment/bin/python" -c 'import pyspark; print(pyspark.__version__)')"
    STENO=$steno "$environment/bin/python" -m pytest -q -p no:cacheprovider "$@" . || status=1
done
exit $status
