#!/usr/bin/env bash
# Holds the manifests against the schemas of Kubernetes, strictly: a field that does not exist is an error.
# Those of resources that extensions define are in schemas/, as far as our manifests use them.
set -euo pipefail
cd "$(dirname "$0")"
build=$(cd ../.. && pwd)/.build/kubernetes
go=${GO:-go}
schemas=kubernetes-validate==1.37.0 # a package that has Kubernetes' own schemas in it
version=v1.37.0

if [ ! -e "$build/$schemas" ]; then
	rm -rf "$build"
	python3 -m venv "$build/venv"
	"$build/venv/bin/pip" install --quiet --no-deps --target "$build/packages" "$schemas"
	# They name each other as if they lay on a server: without their own names, they are looked for side by side.
	sed -i -e 's#"/api/_definitions.json#"_definitions.json#' -e 's/"$id": "/"$comment": "/' \
		"$build"/packages/kubernetes_validate/kubernetes-json-schema/$version-local-strict/*.json
	touch "$build/$schemas"
fi
known="$build/packages/kubernetes_validate/kubernetes-json-schema/$version-local-strict"

# Ours lie beside them, for theirs are part of ours.
cp schemas/*.json "$known/"

kustomize() { "$go" run sigs.k8s.io/kustomize/kustomize/v5@v5.7.1 "$@"; }
conform() {
	"$go" run github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 -strict -summary -schema-location "$known/{{.ResourceKind}}{{.KindSuffix}}.json" \
		-schema-location "$known/{{.ResourceKind}}.json" "$@"
}

for folder in server durable dataset evaluate ray; do
	echo "$folder:"
	kustomize build "$folder" | conform -
done
echo "monitoring:"
conform monitoring/*.yaml
