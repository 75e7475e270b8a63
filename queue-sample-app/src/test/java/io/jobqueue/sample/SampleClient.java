package io.jobqueue.sample;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Uses a running sample over HTTP.
 */
public final class SampleClient {

	private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
	};

	private static final Pattern LINK = Pattern.compile("href=\"http://localhost:\\d+(/verify/[^\"]+)\"");

	private final int port;

	private final RestClient http;

	public SampleClient(int port) {
		this.port = port;
		this.http = RestClient.builder()
			.baseUrl("http://localhost:" + port)
			.defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
			})
			.build();
	}

	public int port() {
		return this.port;
	}

	public ResponseEntity<Map<String, Object>> post(Map<String, String> profile) {
		return this.http.post().uri("/signups").body(profile).retrieve().toEntity(JSON);
	}

	public ResponseEntity<Map<String, Object>> get(String path) {
		return this.http.get().uri(path).retrieve().toEntity(JSON);
	}

	public ResponseEntity<String> page(String path) {
		return this.http.get().uri(path).retrieve().toEntity(String.class);
	}

	public long signUp(String name, String email) {
		ResponseEntity<Map<String, Object>> answer = post(Map.of("name", name, "email", email));
		assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.CREATED);
		return ((Number) answer.getBody().get("id")).longValue();
	}

	public String status(long signup) {
		return (String) get("/signups/" + signup).getBody().get("status");
	}

	/**
	 * Read the mail and return the path of the link in it.
	 */
	public String mailedLink(long signup) {
		Matcher link = LINK.matcher(page("/mails/" + signup).getBody());
		assertThat(link.find()).isTrue();
		return link.group(1);
	}

}
