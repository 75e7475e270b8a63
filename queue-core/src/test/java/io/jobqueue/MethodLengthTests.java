package io.jobqueue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long the methods of the main code of all modules are.
 */
class MethodLengthTests {

	private static final int MAX_LINES = 25;

	@Test
	void noMethodIsLong() throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjectsFromPaths(sources(Path.of(".."))));
			MethodLines lines = new MethodLines(Trees.instance(task).getSourcePositions());
			task.parse().forEach((unit) -> lines.scan(unit, unit));
			assertThat(lines.ofMethods.entrySet()).hasSizeGreaterThan(3_000)
				.filteredOn((method) -> method.getValue() > MAX_LINES)
				.isEmpty();
		}
	}

	static List<Path> sources(Path root) throws IOException {
		List<Path> sources = new ArrayList<>();
		Path main = Path.of("src", "main", "java");
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(root,
				(folder) -> Files.isDirectory(folder.resolve(main)))) {
			for (Path module : modules) {
				try (Stream<Path> files = Files.walk(module.resolve(main))) {
					files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
				}
			}
		}
		return sources;
	}

	/**
	 * Counts the lines of methods, from the first annotation to the last brace.
	 */
	private static final class MethodLines extends TreeScanner<Void, CompilationUnitTree> {

		private final Map<String, Long> ofMethods = new TreeMap<>();

		private final SourcePositions positions;

		MethodLines(SourcePositions positions) {
			this.positions = positions;
		}

		@Override
		public @Nullable Void visitMethod(MethodTree method, CompilationUnitTree unit) {
			LineMap lines = unit.getLineMap();
			long first = lines.getLineNumber(this.positions.getStartPosition(unit, method));
			long last = lines.getLineNumber(this.positions.getEndPosition(unit, method));
			this.ofMethods.put(unit.getSourceFile().getName() + ":" + first + " " + method.getName(), last - first + 1);
			return super.visitMethod(method, unit);
		}

	}

}
