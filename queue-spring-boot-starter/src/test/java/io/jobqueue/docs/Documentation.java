package io.jobqueue.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The code blocks of the README and of the documentation.
 */
public final class Documentation {

	private static final Path ROOT = Path.of("..");

	private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

	private Documentation() {
	}

	/**
	 * Return the blocks of a language.
	 * @param language what stands behind the fence
	 * @return the blocks of all pages
	 * @throws IOException if a page cannot be read
	 */
	public static List<Block> blocks(String language) throws IOException {
		List<Block> blocks = new ArrayList<>();
		for (Path page : pages()) {
			Matcher matcher = BLOCK.matcher(Files.readString(page));
			while (matcher.find()) {
				if (matcher.group(1).equals(language)) {
					blocks.add(new Block(page.getFileName().toString(), matcher.group(2)));
				}
			}
		}
		return blocks;
	}

	/**
	 * Return a page.
	 * @param name its name in the folder of the documentation
	 * @return its path
	 */
	public static Path page(String name) {
		return ROOT.resolve("docs").resolve(name);
	}

	static List<Path> pages() throws IOException {
		try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
				.filter((page) -> page.toString().endsWith(".md"))
				.toList();
		}
	}

	/**
	 * A code block.
	 *
	 * @param page the name of the page
	 * @param text what stands between the fences
	 */
	public record Block(String page, String text) {

		@Override
		public String toString() {
			return this.page + ": " + this.text.strip().lines().findFirst().orElse("");
		}

	}

}
