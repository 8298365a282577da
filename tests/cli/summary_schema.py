"""summary.json: every key is in the schema and of its type, and the manual lists the same keys.

  summary_schema.py SCHEMA MANUAL SUMMARY...

It knows the words of JSON Schema that our schema uses, and needs no module.
"""
import json
import re
import sys

TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list, "null": type(None)}


def faults(value, schema, where):
    """The part of JSON Schema that ours uses."""
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name != "boolean") for name in names):
        return [f"{where}: {value!r} is not {' or '.join(names)}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where}: {value!r} is not like {schema['pattern']}")
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{where}: {value} is out of range")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            found += faults(item, schema.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict):
        found += [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key in schema.get("properties", {}):
                found += faults(item, schema["properties"][key], f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{where}: {key} is not in the schema")
    return found


def main(schema_path, manual_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    reference = re.compile(r'\{"\$ref": "#/definitions/(\w+)"\}')
    text = json.dumps(schema)
    while reference.search(text):
        text = reference.sub(lambda match: json.dumps(schema["definitions"][match[1]]), text)
    whole = json.loads(text)
    found, seen = [], set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            summary = json.load(file)
        seen |= set(summary)
        found += faults(summary, whole, path)
    with open(manual_path, encoding="utf-8") as file:
        page = re.search(r'keys: begin(.*)keys: end', file.read(), re.S)[1]
    told = {key for line in re.findall(r"^\.TP\n\.BR? (.*)$", page, re.M) for key in re.findall(r"\w+", line)}
    keys = set(whole["properties"])
    found += [f"{key} is in the schema and not in the manual" for key in sorted(keys - told)]
    found += [f"{key} is in the manual and not in the schema" for key in sorted(told - keys)]
    found += [f"no summary has {key}" for key in sorted(keys - seen)]
    print("\n".join(found) or f"{len(paths)} summaries, {len(keys)} keys")
    return bool(found)


sys.exit(main(*sys.argv[1:]))
