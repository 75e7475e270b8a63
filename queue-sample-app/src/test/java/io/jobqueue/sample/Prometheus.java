package io.jobqueue.sample;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * A Prometheus server that looks at a running sample each second, and at the rules of the
 * documentation.
 */
final class Prometheus implements AutoCloseable {

	static final Path OBSERVABILITY = Path.of("..", "docs", "observability").toAbsolutePath().normalize();

	private static final Pattern LISTENING = Pattern.compile("msg=\"Listening on\".* address=\\S+:(\\d+)");

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final String CONFIGURATION = """
			global:
			  scrape_interval: 1s
			  evaluation_interval: 1s
			rule_files:
			  - %s
			scrape_configs:
			  - job_name: sample
			    metrics_path: /actuator/prometheus
			    static_configs:
			      - targets: ['localhost:%d']
			""";

	private final Process process;

	private final RestClient http;

	private Prometheus(Process process, int port) {
		this.process = process;
		this.http = RestClient.create("http://localhost:" + port);
	}

	static void assumeInstalled() {
		executable("prometheus");
	}

	static Prometheus scraping(SampleClient sample, Path folder) throws IOException {
		String executable = executable("prometheus");
		Path log = folder.resolve("prometheus.log");
		Path configuration = Files.writeString(folder.resolve("prometheus.yml"),
				CONFIGURATION.formatted(OBSERVABILITY.resolve("prometheus-rules.yml"), sample.port()));
		Process process = new ProcessBuilder(executable, "--config.file=" + configuration,
				"--storage.tsdb.path=" + folder.resolve("prometheus"), "--web.listen-address=127.0.0.1:0")
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
		return new Prometheus(process, port(log));
	}

	private static int port(Path log) {
		return await().atMost(PATIENCE)
			.until(() -> LISTENING.matcher(Files.readString(log)).results().findFirst(), Optional::isPresent)
			.map((line) -> Integer.parseInt(line.group(1)))
			.orElseThrow();
	}

	static List<String> dashboardQueries() throws IOException {
		return dashboard().findValuesAsString("expr");
	}

	static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(OBSERVABILITY.resolve("grafana-dashboard.json")));
	}

	/**
	 * Run promtool in the folder of the rules.
	 */
	static void check(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(executable("promtool")));
		command.addAll(List.of(arguments));
		Process promtool = new ProcessBuilder(command).directory(OBSERVABILITY.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(promtool.onExit().join().exitValue()).as(output).isZero();
	}

	/**
	 * Return the path of a program, or skip the test without it.
	 */
	private static String executable(String name) {
		Optional<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, name))
			.filter(Files::isExecutable)
			.findFirst();
		assumeThat(found).as("%s is not on the PATH: install the package prometheus to run this test", name)
			.isPresent();
		return found.get().toString();
	}

	/**
	 * Return the series that an expression yields now.
	 */
	List<JsonNode> query(String expression) {
		return this.http.get()
			.uri("/api/v1/query?query={expression}", expression)
			.retrieve()
			.body(JsonNode.class)
			.at("/data/result")
			.valueStream()
			.toList();
	}

	/**
	 * Return what has become of the rules.
	 */
	List<JsonNode> rules() {
		return this.http.get()
			.uri("/api/v1/rules")
			.retrieve()
			.body(JsonNode.class)
			.at("/data/groups/0/rules")
			.valueStream()
			.toList();
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
