package io.jobqueue.internal.dashboard.asset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.StreamUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.ByteResponse;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * The style sheets, scripts and the icon, below a path that contains a hash of them all.
 * Browsers keep them for a year.
 */
public final class Assets implements DashboardRoutes {

	private static final Map<String, MediaType> TYPES = Map.of("css",
			new MediaType("text", "css", StandardCharsets.UTF_8), "js",
			new MediaType("text", "javascript", StandardCharsets.UTF_8), "svg", new MediaType("image", "svg+xml"));

	private static final String FOREVER = "private, max-age=31536000, immutable";

	private final Map<String, byte[]> files = new LinkedHashMap<>();

	private final String version;

	/**
	 * Read the files from the class path.
	 * @throws UncheckedIOException if one is missing
	 */
	public Assets() {
		own("dashboard.css");
		own("dashboard.js");
		own("live.js");
		own("icon.svg");
		own("charts.css");
		own("charts.js");
		webJar("htmx.org", "htmx.min.js");
		webJar("uplot", "uPlot.iife.min.js");
		webJar("uplot", "uPlot.min.css");
		this.version = hash();
	}

	private void own(String name) {
		this.files.put(name, read(new ClassPathResource(name, Assets.class)));
	}

	private void webJar(String artifact, String name) {
		this.files.put(name, read(new ClassPathResource(
				"META-INF/resources/webjars/%s/%s/dist/%s".formatted(artifact, versionOf(artifact), name))));
	}

	/**
	 * The application may have another version of a WebJar.
	 */
	private static String versionOf(String artifact) {
		Properties properties = new Properties();
		try (InputStream stream = new ClassPathResource(
				"META-INF/maven/org.webjars.npm/%s/pom.properties".formatted(artifact))
			.getInputStream()) {
			properties.load(stream);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return properties.getProperty("version");
	}

	private static byte[] read(ClassPathResource resource) {
		try (InputStream stream = resource.getInputStream()) {
			return StreamUtils.copyToByteArray(stream);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String hash() {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			this.files.values().forEach(digest::update);
			return HexFormat.of().formatHex(digest.digest(), 0, 6);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the path of the files below that of the dashboard.
	 * @return a path without a slash at its end
	 */
	public String path() {
		return "/assets/" + this.version;
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/assets/{version}/{name}", this::file);
	}

	/**
	 * A node with another version of the dashboard may have sent the page.
	 */
	private ServerResponse file(ServerRequest request) {
		String name = request.pathVariable("name");
		byte @Nullable [] content = this.files.get(name);
		if (content == null) {
			throw new RefusedRequestException(404, "There is no such file.");
		}
		boolean current = request.pathVariable("version").equals(this.version);
		return ByteResponse.of(200,
				TYPES.getOrDefault(StringUtils.getFilenameExtension(name), MediaType.APPLICATION_OCTET_STREAM), content,
				current ? Map.of(HttpHeaders.CACHE_CONTROL, FOREVER) : Map.of());
	}

}
