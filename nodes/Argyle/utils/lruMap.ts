/** Takes a map, an entry and how many the map may hold; puts the entry in as the newest, and drops the oldest over that. */
export function putNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
	map.delete(key);
	map.set(key, value);
	for (const oldest of map.keys()) {
		if (map.size <= most) break;
		map.delete(oldest);
	}
}
