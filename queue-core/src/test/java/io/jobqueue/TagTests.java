package io.jobqueue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tags of tests, by which the profiles of the build choose them:
 * <ul>
 * <li>{@code slow}: needs seconds by its nature. Runs with {@code -Pall} only.</li>
 * <li>{@code alone}: measures what other tests would change, such as time. Runs when no
 * other test does.</li>
 * <li>{@code pooler}: depends on sessions, signals or transactions. Runs behind PgBouncer
 * too.</li>
 * <li>{@code oldest}: executes statements of the store. Runs on the oldest supported
 * PostgreSQL too.</li>
 * <li>{@code container}: runs on a PostgreSQL in a container too.</li>
 * </ul>
 */
class TagTests {

	private static final Set<String> TAGS = Set.of("alone", "container", "measurement", "oldest", "pooler", "slow");

	private static final Pattern TAG = Pattern.compile("@Tag\\(\"(.*?)\"\\)");

	private static final Pattern TAG_WITHOUT_REASON = Pattern.compile("@Tag\\(\"\\w+\"\\)(?! // \\w)");

	/**
	 * What starts a JVM or a server for a test.
	 */
	private static final Pattern STARTS = Pattern
		.compile("\\b(ChildJvm|CrashableServer|EmbeddedServer|KafkaTestBase|NodeMain|ReplicatedServer|SampleJvm)\\b");

	private static final String STORE = Path.of("jobqueue", "internal", "store", "postgresql").toString();

	private static final Pattern SERVER = Pattern
		.compile("\\b(\\w+TestBase|CrashableServer|MigratedDatabase|ReplicatedServer|TestDatabase|TestPostgres)\\b");

	/**
	 * The bases of the store's tests have the tag.
	 */
	private static final Pattern OLDEST = Pattern.compile("@Tag\\(\"oldest\"\\)|extends (?!Node)\\w+TestBase\\b");

	private static final Map<Path, String> TESTS = tests(Path.of(".."));

	@Test
	void everyTagIsKnown() {
		assertThat(TESTS.keySet()).hasSizeGreaterThan(300)
			.filteredOn((file) -> !TAGS.containsAll(tags(file)))
			.isEmpty();
	}

	@Test
	void everyTagIsUsed() {
		assertThat(TESTS.keySet().stream().map(TagTests::tags).flatMap(Set::stream)).containsAll(TAGS);
	}

	@Test
	void everyTagHasAReason() {
		assertThat(TESTS.keySet()).filteredOn((file) -> TAG_WITHOUT_REASON.matcher(TESTS.get(file)).find()).isEmpty();
	}

	@Test
	void testsThatStartAServerOrAJvmAreSlow() {
		assertThat(TESTS.keySet()).filteredOn((file) -> STARTS.matcher(TESTS.get(file)).find())
			.hasSizeGreaterThan(20)
			.filteredOn((file) -> !tags(file).contains("slow"))
			.isEmpty();
	}

	/**
	 * Excepted is a server that never answers.
	 */
	@Test
	void testsOfTheStoreRunOnTheOldestPostgres() {
		assertThat(TESTS.keySet()).filteredOn((file) -> file.toString().contains(STORE))
			.filteredOn((file) -> SERVER.matcher(TESTS.get(file)).find())
			.filteredOn((file) -> !OLDEST.matcher(TESTS.get(file)).find())
			.extracting((file) -> file.getFileName().toString())
			.containsExactly("DedicatedConnectionTests.java");
	}

	private static Set<String> tags(Path file) {
		return TAG.matcher(TESTS.get(file)).results().map((tag) -> tag.group(1)).collect(toSet());
	}

	/**
	 * Return the code of all test classes and their bases.
	 * @param root the folder of the modules
	 */
	private static Map<Path, String> tests(Path root) {
		Map<Path, String> tests = new TreeMap<>();
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, "queue-*")) {
			for (Path module : modules) {
				for (Path test : testsOf(module)) {
					tests.put(test, Files.readString(test));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return tests;
	}

	private static List<Path> testsOf(Path module) throws IOException {
		Path folder = module.resolve(Path.of("src", "test", "java"));
		if (Files.notExists(folder)) {
			return List.of();
		}
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter(TagTests::isTest).toList();
		}
	}

	private static boolean isTest(Path file) {
		String name = file.getFileName().toString();
		return (name.endsWith("Tests.java") || name.endsWith("TestBase.java")) && !name.equals("TagTests.java");
	}

}
