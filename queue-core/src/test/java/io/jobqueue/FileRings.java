package io.jobqueue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

/**
 * The rings of files of a package: the code of each file of a ring leads to every other
 * one, directly or by files between them. A file that is in no ring counts as one of its
 * own.
 */
final class FileRings {

	private static final Path MAIN = Path.of("src", "main", "java");

	private static final Pattern TEXT_OR_COMMENT = Pattern.compile(
			"\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])++'|/\\*.*?\\*/|//[^\\n]*+", Pattern.DOTALL);

	private static final Pattern TYPE = Pattern.compile("(?<![.\\w])[A-Z]\\w*+");

	private final Map<Path, Set<Path>> uses = new TreeMap<>();

	private FileRings(Path folder, String packageName) throws IOException {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.java")) {
			for (Path file : files) {
				this.uses.put(file, used(file, packageName));
			}
		}
	}

	/**
	 * Return the rings in the main code of all modules.
	 * @param root the folder of the modules
	 */
	static Set<Set<Path>> of(Path root) throws IOException {
		Set<Set<Path>> rings = new HashSet<>();
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(root,
				(folder) -> Files.isDirectory(folder.resolve(MAIN)))) {
			for (Path module : modules) {
				Path main = module.resolve(MAIN);
				for (Path folder : folders(main)) {
					String packageName = main.relativize(folder).toString().replace('/', '.');
					rings.addAll(new FileRings(folder, packageName).all());
				}
			}
		}
		return rings;
	}

	private static List<Path> folders(Path main) throws IOException {
		try (Stream<Path> all = Files.walk(main)) {
			return all.filter(Files::isDirectory).toList();
		}
	}

	private static Set<Path> used(Path file, String packageName) throws IOException {
		String code = TEXT_OR_COMMENT.matcher(Files.readString(file)).replaceAll(" ").replace(packageName + ".", "");
		return TYPE.matcher(code)
			.results()
			.map((found) -> file.resolveSibling(found.group() + ".java"))
			.collect(toCollection(TreeSet::new));
	}

	private Set<Set<Path>> all() {
		return this.uses.keySet().stream().map(this::ring).collect(toSet());
	}

	private Set<Path> ring(Path file) {
		return reached(file).stream()
			.filter((other) -> reached(other).contains(file))
			.collect(toCollection(TreeSet::new));
	}

	private Set<Path> reached(Path from) {
		Set<Path> reached = new HashSet<>(Set.of(from));
		Deque<Path> next = new ArrayDeque<>(reached);
		while (!next.isEmpty()) {
			this.uses.getOrDefault(next.pop(), Set.of())
				.stream()
				.filter(this.uses::containsKey)
				.filter(reached::add)
				.forEach(next::push);
		}
		return reached;
	}

}
