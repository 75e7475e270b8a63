package io.jobqueue.benchmark.against;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.jobqueue.benchmark.frame.UsageException;

import org.springframework.util.FileSystemUtils;

/**
 * Another commit of this repository, built in a folder that is deleted when closed.
 */
final class CommitBuild implements AutoCloseable {

	private static final Path HERE = Path.of("").toAbsolutePath();

	private static final String MODULE = "queue-benchmark";

	private static final String CLASS_PATH = "target/class-path";

	private final Path folder;

	private final Build build;

	private CommitBuild(Path folder, Build build) {
		this.folder = folder;
		this.build = build;
	}

	/**
	 * Clone the repository of the working directory, and compile a commit of it.
	 * @param name a name of the commit
	 * @throws UsageException if the repository has no such commit
	 * @throws IllegalStateException if the commit does not compile
	 */
	static CommitBuild of(String name) throws IOException {
		Command parsed = Command.run(HERE, "git", "rev-parse", "--verify", "--end-of-options", name + "^{commit}");
		if (!parsed.succeeded()) {
			throw new UsageException("--against names '%s': name a commit of this repository".formatted(name));
		}
		Path folder = Files.createTempDirectory("against");
		try {
			return new CommitBuild(folder, new Build(name, compile(parsed.output(), folder.resolve("clone"))));
		}
		catch (IOException | RuntimeException ex) {
			FileSystemUtils.deleteRecursively(folder);
			throw ex;
		}
	}

	private static String compile(String commit, Path clone) throws IOException {
		String repository = Command.run(HERE, "git", "rev-parse", "--show-toplevel").orThrow();
		Command.run(HERE, "git", "clone", "--quiet", "--shared", "--no-checkout", repository, clone.toString())
			.orThrow();
		Command.run(clone, "git", "checkout", "--quiet", "--detach", commit).orThrow();
		Command
			.run(clone, "mvn", "-B", "-q", "-pl", MODULE, "-am", "process-classes", "dependency:build-classpath",
					"-Dmdep.includeScope=runtime", "-Dmdep.outputFile=" + CLASS_PATH)
			.orThrow();
		Path module = clone.resolve(MODULE);
		return module.resolve("target/classes") + System.getProperty("path.separator")
				+ Files.readString(module.resolve(CLASS_PATH)).strip();
	}

	Build build() {
		return this.build;
	}

	@Override
	public void close() throws IOException {
		FileSystemUtils.deleteRecursively(this.folder);
	}

}
